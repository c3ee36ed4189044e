//! Bodies, markers, joints, forces and contact geometry, assembled into a system.
