// The slider-crank and the four-bar linkage of `benches/src/models.rs` in Siconos: Moreau–Jean, θ = 1/2.
//
// Usage: siconos_linkages ROW STEPS [SPLIT [TOLERANCE]]
//   ROW        slider-crank (steps of 1e-5 s) or four-bar (steps of 1e-3 s)
//   SPLIT      each step cut in so many (1)
//   TOLERANCE  of Newton's iteration, absolute (1e-10)
//
// Prints the least CPU time per step of several runs, in µs, then the angle of the crank at the end.
//
// The slider-crank is in minimal coordinates, as in the examples of Siconos: the angles of crank, rod and slider, four
// corners with friction, contact problem by enumeration (of the solvers for planar friction that were tried the one that
// reported the fewest failures; Lemke takes as long). The four-bar linkage is in absolute coordinates with its eight
// joint rows at velocity level.

#include <SiconosKernel.hpp>
#include <SolverOptions.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <string>

namespace {

using Matrix = SP::SimpleMatrix;
using Vector = SP::SiconosVector;

double cpu_time() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

// A simulation ready to step, and the coordinate that is compared.
struct Run {
  SP::TimeStepping simulation;
  SP::LagrangianDS body;
  unsigned crank_angle;
};

Run simulate(SP::NonSmoothDynamicalSystem model, double step, SP::LagrangianDS body, unsigned crank_angle,
             SP::OneStepNSProblem problem) {
  SP::TimeDiscretisation times(new TimeDiscretisation(0.0, step));
  SP::OneStepIntegrator integrator(new MoreauJeanOSI(0.5));
  SP::TimeStepping simulation(new TimeStepping(model, times, integrator, problem));
  simulation->setNewtonMaxIteration(20);
  return {simulation, body, crank_angle};
}

// Slider-crank, angles of crank, rod and slider.

namespace crank {
constexpr double l1 = 0.153, l2 = 0.306, m1 = 0.038, m2 = 0.038, m3 = 0.076, J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6;
constexpr double a = 0.05, b = 0.025, c = 0.001, g = 9.81;
constexpr double coupling = (0.5 * m2 + m3) * l1 * l2;

void mass(unsigned, double* q, double* M, unsigned, double*) {
  for (int i = 0; i < 9; ++i) M[i] = 0.0;
  M[0] = J1 + (0.25 * m1 + m2 + m3) * l1 * l1;
  M[4] = J2 + (0.25 * m2 + m3) * l2 * l2;
  M[8] = J3;
  M[1] = M[3] = coupling * std::cos(q[0] - q[1]);
}
// on the left of the equations of motion: centrifugal forces and weight
void forces(unsigned, double* q, double* v, double* f, unsigned, double*) {
  const double s = coupling * std::sin(q[0] - q[1]);
  f[0] = s * v[1] * v[1] + (0.5 * m1 + m2 + m3) * g * l1 * std::cos(q[0]);
  f[1] = -s * v[0] * v[0] + (0.5 * m2 + m3) * g * l2 * std::cos(q[1]);
  f[2] = 0.0;
}
void forces_q(unsigned, double* q, double* v, double* K, unsigned, double*) {
  for (int i = 0; i < 9; ++i) K[i] = 0.0;
  const double k = coupling * std::cos(q[0] - q[1]);
  K[0] = k * v[1] * v[1] - (0.5 * m1 + m2 + m3) * g * l1 * std::sin(q[0]);
  K[3] = -k * v[1] * v[1];
  K[1] = -k * v[0] * v[0];
  K[4] = k * v[0] * v[0] - (0.5 * m2 + m3) * g * l2 * std::sin(q[1]);
}
void forces_v(unsigned, double* q, double* v, double* C, unsigned, double*) {
  for (int i = 0; i < 9; ++i) C[i] = 0.0;
  const double s = coupling * std::sin(q[0] - q[1]);
  C[3] = 2.0 * s * v[1];
  C[1] = -2.0 * s * v[0];
}

// A corner of the slider under (side = 1) or over (side = -1) a face of the guide.
struct Corner : LagrangianScleronomousR {
  double ahead, side;
  Corner(double ahead, double side) : ahead(ahead), side(side) { _jachq.reset(new SimpleMatrix(2, 3)); }
  void computeh(const BlockVector& q, BlockVector&, SiconosVector& y) override {
    const double t3 = q(2);
    const double pin = l1 * std::sin(q(0)) + l2 * std::sin(q(1));
    const double height = pin + ahead * a * std::sin(t3) + side * b * std::cos(t3);
    y(0) = b + c - side * height;
    y(1) = l1 * std::cos(q(0)) + l2 * std::cos(q(1)) + ahead * a * std::cos(t3) - side * b * std::sin(t3);
  }
  void computeJachq(const BlockVector& q, BlockVector&) override {
    SimpleMatrix& H = *_jachq;
    H(0, 0) = -side * l1 * std::cos(q(0));
    H(0, 1) = -side * l2 * std::cos(q(1));
    H(0, 2) = -side * (ahead * a * std::cos(q(2)) - side * b * std::sin(q(2)));
    H(1, 0) = -l1 * std::sin(q(0));
    H(1, 1) = -l2 * std::sin(q(1));
    H(1, 2) = -ahead * a * std::sin(q(2)) - side * b * std::cos(q(2));
  }
};
}  // namespace crank

Run slider_crank(double step, double end) {
  Vector q(new SiconosVector(3)), v(new SiconosVector(3));
  (*v)(0) = 150.0;
  (*v)(1) = -75.0;
  SP::LagrangianDS body(new LagrangianDS(q, v));
  body->setComputeMassFunction(crank::mass);
  body->setComputeFGyrFunction(crank::forces);
  body->setComputeJacobianFGyrqFunction(crank::forces_q);
  body->setComputeJacobianFGyrqDotFunction(crank::forces_v);
  SP::NonSmoothDynamicalSystem model(new NonSmoothDynamicalSystem(0.0, end));
  model->insertDynamicalSystem(body);
  SP::NonSmoothLaw law(new NewtonImpactFrictionNSL(0.4, 0.0, 0.01, 2));
  for (double ahead : {-1.0, 1.0})
    for (double side : {1.0, -1.0}) {
      SP::Relation relation(new crank::Corner(ahead, side));
      model->link(SP::Interaction(new Interaction(law, relation)), body);
    }
  SP::FrictionContact problem(new FrictionContact(2, SICONOS_FRICTION_2D_ENUM));
  problem->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = 1e-10;
  return simulate(model, step, body, 0, problem);
}

// Four-bar, x, y and angle of each bar.

namespace linkage {
const double length[3] = {0.3, std::sqrt(0.13), 0.4};
// pin: bar and end (-1 or 1) on both sides; bar -1 is the ground, at x = foot
struct Pin {
  int a;
  double end_a;
  int b;
  double end_b;
  double foot;
};
const Pin pins[4] = {{0, -1, -1, 0, 0.0}, {0, 1, 1, -1, 0.0}, {1, 1, 2, 1, 0.0}, {2, -1, -1, 0, 0.7}};

struct Pins : LagrangianScleronomousR {
  Pins() { _jachq.reset(new SimpleMatrix(8, 9)); }
  void computeh(const BlockVector& q, BlockVector&, SiconosVector& y) override {
    const auto at = [&](int i, double end, int axis) {
      const double r = 0.5 * end * length[i];
      return q(3 * i + axis) + r * (axis ? std::sin(q(3 * i + 2)) : std::cos(q(3 * i + 2)));
    };
    for (int k = 0; k < 4; ++k)
      for (int axis = 0; axis < 2; ++axis) {
        const Pin& p = pins[k];
        y(2 * k + axis) = at(p.a, p.end_a, axis) - (p.b < 0 ? (axis ? 0.0 : p.foot) : at(p.b, p.end_b, axis));
      }
  }
  void computeJachq(const BlockVector& q, BlockVector&) override {
    SimpleMatrix& H = *_jachq;
    H.zero();
    const auto add = [&](int row, int i, double end, double sign) {
      if (i < 0) return;
      const double r = 0.5 * end * length[i];
      H(row, 3 * i) = sign;
      H(row + 1, 3 * i + 1) = sign;
      H(row, 3 * i + 2) = -sign * r * std::sin(q(3 * i + 2));
      H(row + 1, 3 * i + 2) = sign * r * std::cos(q(3 * i + 2));
    };
    for (int k = 0; k < 4; ++k) {
      add(2 * k, pins[k].a, pins[k].end_a, 1.0);
      add(2 * k, pins[k].b, pins[k].end_b, -1.0);
    }
  }
};
}  // namespace linkage

Run four_bar(double step, double end) {
  using namespace linkage;
  const double angle[3] = {M_PI / 3, std::atan(std::sqrt(3.0) / 7), 2 * M_PI / 3};
  const double foot[3][2] = {{0, 0}, {0.3 * std::cos(angle[0]), 0.3 * std::sin(angle[0])}, {0.7, 0}};
  Vector q(new SiconosVector(9)), v(new SiconosVector(9)), load(new SiconosVector(9));
  Matrix mass(new SimpleMatrix(9, 9));
  for (int i = 0; i < 3; ++i) {
    (*q)(3 * i) = foot[i][0] + 0.5 * length[i] * std::cos(angle[i]);
    (*q)(3 * i + 1) = foot[i][1] + 0.5 * length[i] * std::sin(angle[i]);
    (*q)(3 * i + 2) = angle[i];
    (*mass)(3 * i, 3 * i) = (*mass)(3 * i + 1, 3 * i + 1) = 1.0;
    (*mass)(3 * i + 2, 3 * i + 2) = length[i] * length[i] / 12.0;
    (*load)(3 * i + 1) = -9.81;
  }
  (*load)(2) = 6.0;
  SP::LagrangianLinearTIDS body(new LagrangianLinearTIDS(q, v, mass));
  body->setFExtPtr(load);
  SP::NonSmoothDynamicalSystem model(new NonSmoothDynamicalSystem(0.0, end));
  model->insertDynamicalSystem(body);
  SP::NonSmoothLaw law(new EqualityConditionNSL(8));
  SP::Relation relation(new Pins());
  model->link(SP::Interaction(new Interaction(law, relation)), body);
  return simulate(model, step, body, 2, SP::OneStepNSProblem(new Equality()));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string row = argc > 2 ? argv[1] : "";
  if (row != "slider-crank" && row != "four-bar") {
    std::fprintf(stderr, "usage: siconos_linkages slider-crank|four-bar STEPS [SPLIT [TOLERANCE]]\n");
    return 2;
  }
  const long split = argc > 3 ? std::atol(argv[3]) : 1;
  const double tolerance = argc > 4 ? std::atof(argv[4]) : 1e-10;
  const long steps = std::atol(argv[2]) * split;
  const double step = (row == "four-bar" ? 1e-3 : 1e-5) / static_cast<double>(split);
  double best = std::numeric_limits<double>::infinity();
  double iterations = 0.0;
  double angle = 0.0;
  for (int i = 0; i < (split == 1 ? 5 : 1); ++i) {
    Run run = (row == "four-bar" ? four_bar : slider_crank)(step, step * (static_cast<double>(steps) + 0.5));
    run.simulation->setNewtonTolerance(tolerance);
    run.simulation->initialize();
    const double start = cpu_time();
    for (long n = 0; n < steps; ++n) {
      run.simulation->computeOneStep();
      run.simulation->nextStep();
    }
    best = std::min(best, (cpu_time() - start) / static_cast<double>(steps));
    iterations = static_cast<double>(run.simulation->getNewtonCumulativeNbIterations()) / static_cast<double>(steps);
    angle = (*run.body->q())(run.crank_angle);
  }
  std::printf("%.3f µs/step  %.2f Newton/step  check %.10f\n", best, iterations, angle);
}
