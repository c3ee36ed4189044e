// The bouncing ball of `benches/src/models.rs` in Siconos: Moreau–Jean, θ = 1/2, Newton's law of impact with e = 0.8.
//
// Usage: siconos_ball STEPS [SPLIT]        steps of 1e-4 s, each cut in SPLIT
//
// Prints the least CPU time per step of several runs, in µs, then the height at the end.

#include <SiconosKernel.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <memory>

namespace {

double cpu_time() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

struct Result {
  double cpu;
  double height;
};

Result run(long steps, double step) {
  // a point mass in the plane
  auto q = std::make_shared<SiconosVector>(2);
  auto v = std::make_shared<SiconosVector>(2);
  q->zero();
  v->zero();
  (*q)(1) = 0.801;
  auto mass = std::make_shared<SimpleMatrix>(2, 2);
  mass->eye();
  auto weight = std::make_shared<SiconosVector>(2);
  weight->zero();
  (*weight)(1) = -10.0;
  auto ball = std::make_shared<LagrangianLinearTIDS>(q, v, mass);
  ball->setFExtPtr(weight);

  // the floor: gap = y
  auto directions = std::make_shared<SimpleMatrix>(1, 2);
  directions->zero();
  (*directions)(0, 1) = 1.0;
  auto law = std::make_shared<NewtonImpactNSL>(0.8);
  auto floor = std::make_shared<LagrangianLinearTIR>(directions);
  auto touch = std::make_shared<Interaction>(law, floor);

  auto model = std::make_shared<NonSmoothDynamicalSystem>(0.0, step * (static_cast<double>(steps) + 0.5));
  model->insertDynamicalSystem(ball);
  model->link(touch, ball);
  auto integrator = std::make_shared<MoreauJeanOSI>(0.5);
  auto time = std::make_shared<TimeDiscretisation>(0.0, step);
  auto problem = std::make_shared<LCP>();
  auto simulation = std::make_shared<TimeStepping>(model, time, integrator, problem);
  simulation->initialize();

  const double start = cpu_time();
  for (long i = 0; i < steps; ++i) {
    simulation->computeOneStep();
    simulation->nextStep();
  }
  return {(cpu_time() - start) / static_cast<double>(steps), (*ball->q())(1)};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: siconos_ball STEPS [SPLIT]\n");
    return 2;
  }
  const long split = argc > 2 ? std::atol(argv[2]) : 1;
  const long steps = std::atol(argv[1]) * split;
  double best = std::numeric_limits<double>::infinity();
  double height = 0.0;
  for (int i = 0; i < (split == 1 ? 7 : 1); ++i) {
    const Result result = run(steps, 1e-4 / static_cast<double>(split));
    best = std::min(best, result.cpu);
    height = result.height;
  }
  std::printf("%.3f µs/step  check %.10f\n", best, height);
}
