//! The tiles of the terrain.
//!
//! Lightness falls from road over plain, swamp and forest to water; walls have the strongest contrast.

use crate::SIZE;
use crate::noise::{noise, pick, random, variant_noise};
use crate::picture::{Picture, Rgb};

/// Where something is stamped on a tile.
type Places = &'static [(i32, i32)];

const GRASS: [Rgb; 4] = [[124, 151, 82], [130, 157, 87], [136, 163, 92], [142, 168, 98]];

pub(crate) fn plain(tile: &mut Picture, variant: u32) {
    tile.for_each(|x, y| {
        let broad = variant_noise(x, y, 3, 11, variant);
        let fine = variant_noise(x, y, 11, 12, variant);
        let grain = random(x, y, 13 + variant) - 0.5;
        pick(&GRASS, 0.5 + (broad - 0.5) * 0.55 + (fine - 0.5) * 0.5 + grain * 0.22)
    });
    let blades = [[104, 133, 66], [160, 185, 114]];
    let tuft = ["a.b", "aab", ".a."];
    let small = ["b.", "ab", "a."];
    let places: [Places; 3] =
        [&[(5, 7), (21, 4), (13, 18), (25, 23)], &[(8, 24), (18, 10), (26, 15)], &[(4, 14), (22, 25), (16, 5)]];
    for (i, &(x, y)) in places[variant as usize].iter().enumerate() {
        tile.stamp(x, y, if i.is_multiple_of(2) { &tuft } else { &small }, &blades);
    }
    match variant {
        1 => {
            // Two pebbles.
            let stone = [[106, 118, 88], [172, 176, 148], [148, 154, 124]];
            tile.stamp(5, 10, &["bbc", "bca", "aa."], &stone);
            tile.stamp(22, 24, &["bc", "ca"], &stone);
        }
        2 => {
            // Small flowers.
            let flower = [[226, 220, 170], [196, 160, 74], [112, 140, 72]];
            for (x, y) in [(9, 22), (12, 24), (24, 9), (26, 12)] {
                tile.stamp(x, y, &[".a.", "aba", ".ac"], &flower);
            }
        }
        _ => {}
    }
}

const CANOPY: [Rgb; 6] = [[23, 41, 29], [31, 55, 36], [40, 69, 42], [51, 83, 48], [65, 98, 55], [83, 116, 65]];

pub(crate) fn forest(tile: &mut Picture, variant: u32) {
    // Trees over the edge are the same in all variants and come back on the other side; those inside differ.
    let edge: [(f32, f32, f32); 4] = [(1.0, 1.5, 8.6), (17.0, 0.0, 7.6), (0.5, 17.5, 7.8), (31.5, 24.5, 6.0)];
    let inside: [&[(f32, f32, f32)]; 3] = [
        &[(12.5, 13.0, 7.8), (23.0, 17.5, 7.4), (13.0, 23.5, 6.6)],
        &[(15.0, 16.0, 9.4), (24.0, 21.0, 6.0), (23.5, 10.5, 5.6)],
        &[(10.5, 12.5, 6.4), (20.0, 12.0, 6.6), (17.0, 21.0, 8.0)],
    ];
    let trees: Vec<_> = edge.iter().chain(inside[variant as usize]).copied().collect();
    tile.for_each(|x, y| {
        let (px, py) = (x as f32, y as f32);
        let leaf = noise(px, py, 10, 31) - 0.5;
        // The tree whose leaves are the highest here, as the normal of a half ball.
        let mut top = (0.0_f32, 0.0, 0.0, 0.0);
        for &(cx, cy, radius) in &trees {
            let wrap = |d: f32| (d + 48.0) % 32.0 - 16.0;
            let (u, v) = (wrap(px - cx) / radius, wrap(py - cy) / radius);
            let d = (u * u + v * v).sqrt() + leaf * 0.3;
            let up = (1.0 - d * d).max(0.0).sqrt();
            if d < 1.0 && up * radius > top.0 {
                top = (up * radius, u, v, up);
            }
        }
        let (height, u, v, up) = top;
        if height <= 0.0 {
            return if noise(px, py, 8, 32) > 0.55 { [22, 37, 28] } else { [18, 31, 24] };
        }
        let dapple = (random(x, y, 33) - 0.5) * 0.16 + (noise(px, py, 16, 34) - 0.5) * 0.34;
        pick(&CANOPY, up * 0.62 - (u * 0.36 + v * 0.46) + dapple)
    });
}

const MUD: [Rgb; 4] = [[92, 93, 62], [100, 101, 68], [108, 108, 74], [116, 116, 81]];
const POOL: [Rgb; 3] = [[46, 63, 58], [52, 71, 65], [60, 80, 72]];

pub(crate) fn swamp(tile: &mut Picture, variant: u32) {
    // Centre and half sizes of the pools. The one over the corner is in all variants and comes back on the other sides.
    let corner = (0.5, 31.0, 8.0, 4.6);
    let inside: &[(f32, f32, f32, f32)] = match variant {
        0 => &[(16.0, 11.5, 8.4, 4.6), (20.5, 23.0, 6.2, 3.6)],
        1 => &[(12.5, 20.5, 8.6, 5.4), (23.5, 8.5, 5.4, 3.4)],
        _ => &[(10.0, 9.5, 6.0, 3.6), (20.0, 17.5, 8.2, 4.4)],
    };
    tile.for_each(|x, y| {
        let (px, py) = (x as f32, y as f32);
        let wobble = (noise(px, py, 7, 42) - 0.5) * 0.7;
        let shore = inside.iter().chain([&corner]).fold(f32::MAX, |nearest, &(cx, cy, rx, ry)| {
            let wrap = |d: f32| (d + 48.0) % 32.0 - 16.0;
            let (u, v) = (wrap(px - cx) / rx, wrap(py - cy) / ry);
            nearest.min((u * u + v * v).sqrt() + wobble)
        });
        let grain = random(x, y, 43 + variant) - 0.5;
        if shore < 0.84 {
            pick(&POOL, shore + grain * 0.2 - 0.1)
        } else if shore < 1.0 {
            // The wet bank.
            [72, 76, 53]
        } else {
            let broad = variant_noise(x, y, 4, 41, variant);
            pick(&MUD, 0.5 + (broad - 0.5) * 0.9 + grain * 0.34 + (1.25 - shore).clamp(0.0, 0.2))
        }
    });
    let ripple = [[98, 118, 102], [78, 98, 86]];
    let reed = [[42, 50, 32], [150, 152, 92], [118, 124, 72], [122, 86, 54]];
    let clump = ["d...b", "d.b.b", "c.b.c", "cacac", ".cac.", ".aaa."];
    let lone = ["b..", "b.d", "c.c", "cac", "aa."];
    let (reeds, ripples): (Places, Places) = match variant {
        0 => (&[(5, 4), (26, 14), (12, 18)], &[(13, 10), (18, 22)]),
        1 => (&[(19, 16), (4, 12), (15, 3)], &[(8, 20), (21, 7)]),
        _ => (&[(21, 3), (8, 19), (24, 22)], &[(17, 16), (7, 8)]),
    };
    for &(x, y) in ripples {
        tile.stamp(x, y, &[".aaaa..", "b....bb", "..bb..."], &ripple);
    }
    for (i, &(x, y)) in reeds.iter().enumerate() {
        tile.stamp(x, y, if i.is_multiple_of(2) { &clump } else { &lone }, &reed);
    }
}

const WATER: [Rgb; 3] = [[22, 46, 78], [25, 51, 84], [28, 56, 90]];

pub(crate) fn water(tile: &mut Picture, variant: u32) {
    tile.for_each(|x, y| {
        // Long flat swells, the same in every variant.
        let swell = noise(x as f32, (y * 3 % SIZE) as f32, 2, 51);
        pick(&WATER, 0.5 + (swell - 0.5) * 0.9)
    });
    let foam = [[92, 136, 178], [52, 90, 130], [18, 38, 66]];
    let long = ["..aaa....", "bb...bb.b", "cc...ccbc", "........."];
    let short = [".aa..", "b..bb", "c..cc"];
    let faint = ["bbb", "ccc"];
    let (longs, shorts, faints): (Places, Places, Places) = match variant {
        0 => (&[(4, 5), (17, 20)], &[(21, 9), (6, 24)], &[(12, 14), (26, 28)]),
        1 => (&[(19, 4), (8, 15)], &[(3, 26), (24, 22)], &[(6, 8), (17, 27)]),
        _ => (&[(9, 10), (20, 27)], &[(22, 15), (4, 20)], &[(24, 5), (13, 23)]),
    };
    for &(x, y) in longs {
        tile.stamp(x, y, &long, &foam);
    }
    for &(x, y) in shorts {
        tile.stamp(x, y, &short, &foam);
    }
    for &(x, y) in faints {
        tile.stamp(x, y, &faint, &foam);
    }
}

const ROCK: [Rgb; 6] =
    [[104, 99, 96], [122, 117, 112], [139, 133, 127], [155, 149, 142], [176, 170, 161], [208, 202, 190]];

pub(crate) fn wall(tile: &mut Picture, variant: u32) {
    // Centre and half sizes of the top of each boulder; its south face hangs down below.
    let boulders: &[(f32, f32, f32, f32)] = match variant {
        0 => &[(15.5, 13.0, 15.2, 12.6)],
        1 => &[(9.0, 12.5, 8.8, 12.4), (24.6, 6.2, 6.8, 6.0), (24.4, 19.0, 6.9, 7.0)],
        _ => &[(20.0, 6.4, 11.4, 6.2), (4.4, 7.0, 4.2, 6.8), (9.6, 19.6, 9.4, 6.4), (25.8, 19.4, 5.8, 6.6)],
    };
    const FACE: i32 = 6;
    // Above zero inside of the top, 1 in the middle.
    let top = |x: f32, y: f32, (cx, cy, rx, ry): (f32, f32, f32, f32)| {
        let rough = (noise(x, y, 9, 61 + variant) - 0.5) * 0.34;
        let (u, v) = ((x - cx) / rx, (y - cy) / ry);
        let (u, v) = (u * u, v * v);
        1.0 - (u * u + v * v).sqrt() + rough * (u + v).min(1.0)
    };
    tile.for_each(|x, y| if random(x, y, 62) > 0.7 { [44, 40, 40] } else { [37, 34, 35] });
    for &boulder in boulders {
        tile_face(tile, FACE, |x, y| top(x, y, boulder) > 0.0);
        for y in 0..SIZE {
            for x in 0..SIZE {
                let (px, py) = (x as f32, y as f32);
                if top(px, py, boulder) <= 0.0 {
                    continue;
                }
                let lip = |dx: f32, dy: f32| top(px + dx, py + dy, boulder) <= 0.0;
                let colour = if lip(0.0, -1.0) || lip(-1.0, 0.0) {
                    ROCK[5]
                } else if lip(0.0, -2.0) || lip(-2.0, 0.0) || lip(0.0, 1.0) {
                    ROCK[4]
                } else if lip(1.0, 0.0) {
                    ROCK[0]
                } else {
                    let relief =
                        noise(px + 1.0, py + 1.0, 7, 63 + variant) - noise(px - 1.0, py - 1.0, 7, 63 + variant);
                    let grain = random(x, y, 64 + variant) - 0.5;
                    pick(&ROCK[..5], 0.5 - relief * 0.8 + grain * 0.18)
                };
                tile.set(x, y, colour);
            }
        }
    }
}

/// The shaded south face of a thing: its shape drawn `height` pixels downwards, darker towards the foot.
fn tile_face(tile: &mut Picture, height: i32, inside: impl Fn(f32, f32) -> bool) {
    for drop in (1..=height).rev() {
        for y in 0..SIZE {
            for x in 0..SIZE {
                if inside(x as f32, (y - drop) as f32) {
                    let crack = random(x / 2, 0, 65) > 0.72;
                    let dark = (drop * 5) as u8 + if crack { 10 } else { 0 };
                    tile.set(x, y, [92 - dark, 86 - dark, 84 - dark]);
                }
            }
        }
    }
}

const EARTH: [Rgb; 4] = [[198, 178, 139], [205, 186, 147], [211, 193, 155], [217, 200, 163]];

pub(crate) fn road(tile: &mut Picture, variant: u32) {
    tile.for_each(|x, y| {
        let broad = variant_noise(x, y, 4, 71, variant);
        let grain = random(x, y, 72 + variant) - 0.5;
        pick(&EARTH, 0.5 + (broad - 0.5) * 0.8 + grain * 0.35)
    });
    let stone = [[166, 146, 110], [231, 218, 186], [222, 206, 172]];
    let pebble = ["bb", "ca", "aa"];
    let flat = ["bbb.", "bcca", ".aaa"];
    let places: [Places; 3] = [
        &[(6, 8), (20, 5), (14, 20), (25, 25), (4, 24)],
        &[(9, 4), (24, 12), (7, 18), (19, 26)],
        &[(4, 5), (14, 11), (25, 19), (8, 26), (22, 4)],
    ];
    for (i, &(x, y)) in places[variant as usize].iter().enumerate() {
        tile.stamp(x, y, if (i + variant as usize).is_multiple_of(3) { &flat } else { &pebble }, &stone);
    }
}
