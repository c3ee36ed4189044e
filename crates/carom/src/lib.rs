//! Simulation of mechanisms that hit, rub and bend.
