// The models of the gallery, once for all tests over them: a name for the test, and the folder.

/// Calls a macro with what is given, and behind it every model.
macro_rules! for_each_gallery_model {
    ($each:ident $($before:tt)*) => {
        $each! {
            $($before)*
            ball "ball"
            ball_in_box "ball-in-box"
            bar "bar"
            bar_steel "bar-steel"
            belt "belt"
            block_constrained "block-constrained"
            block_jump "block-jump"
            block_path "block-path"
            cam_flat_follower "cam-flat-follower"
            crank_slider_flex "crank-slider-flex"
            crank_slider_rigid "crank-slider-rigid"
            disks "disks"
            dominoes "dominoes"
            door_stop "door-stop"
            eccentric_beam "eccentric-beam"
            four_bar "four-bar"
            four_bar_clearance "four-bar-clearance"
            gear_rack "gear-rack"
            gear_rattle "gear-rattle"
            gearbox "gearbox"
            gears_1 "gears-1"
            gears_2 "gears-2"
            geneva_drive "geneva-drive"
            incline "incline"
            newtons_cradle "newtons-cradle"
            oblique_disk "oblique-disk"
            oscillator "oscillator"
            parabola_plane "parabola-plane"
            pendulum_stop "pendulum-stop"
            plane_parabola "plane-parabola"
            ratchet "ratchet"
            rotating_beam "rotating-beam"
            rotor_runup "rotor-runup"
            slider_crank "slider-crank"
            slider_crank_ffr "slider-crank-ffr"
            slider_crank_modal "slider-crank-modal"
            stacked_boxes "stacked-boxes"
            three_balls "three-balls"
            woodpecker "woodpecker"
        }
    };
}

/// The same for the models in space. No digests of theirs are kept.
macro_rules! for_each_spatial_model {
    ($each:ident $($before:tt)*) => {
        $each! {
            $($before)*
            backspin "backspin"
            ball_chain "ball-chain"
            bennett_linkage "bennett-linkage"
            block_across "block-across"
            bricard_linkage "bricard-linkage"
            cardan_shaft "cardan-shaft"
            cube_toss "cube-toss"
            flyball_governor "flyball-governor"
            heavy_gyroscope "heavy-gyroscope"
            landing_gear "landing-gear"
            robot_arm "robot-arm"
            rolling_disk "rolling-disk"
            spatial_double_pendulum "spatial-double-pendulum"
            spatial_slider_crank "spatial-slider-crank"
            sphere_table "sphere-table"
            tippe_top "tippe-top"
            tumbling_body "tumbling-body"
        }
    };
}
