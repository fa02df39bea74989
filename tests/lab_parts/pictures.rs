//! Pictures: every pixel of a figure, and where its cells are.

use clap::Parser;
use wayfield::Cell;

use crate::args::Args;
use crate::draw::draw;
use crate::picture::boards;

fn args(line: &str) -> Args {
    Args::try_parse_from(std::iter::once("lab").chain(line.split_whitespace())).unwrap()
}

#[test]
fn any_size_has_a_picture_and_every_cell_its_place() {
    for line in [
        "",
        "--preset clusters --algorithm hpa_star",
        "--preset grid-a --against jps",
        "--field toward",
        "--preset maze --field flee",
    ] {
        let boards = boards(&args(line)).unwrap();
        for (size, zoom) in
            [((1, 1), 1.0), ((320, 240), 1.0), ((240, 900), 1.0), ((1280, 800), 1.0), ((3840, 2160), 2.5)]
        {
            let figure = draw(&boards, size, zoom);
            assert_eq!(figure.pixels.len(), size.0 as usize * size.1 as usize * 4);
            assert_eq!(figure.boards.len(), boards.len());
            assert!(figure.used >= 1 && figure.used <= size.1);
            for (board, place) in boards.iter().zip(&figure.boards) {
                let last = Cell::new(board.size.width() as i32 - 1, board.size.height() as i32 - 1);
                for cell in [Cell::new(0, 0), last, Cell::new(last.x / 2, last.y / 3)] {
                    let area = place.area(cell);
                    let pixels = (area.y..area.y + area.height)
                        .flat_map(|y| (area.x..area.x + area.width).map(move |x| (x as f32 + 0.5, y as f32 + 0.5)));
                    for point in pixels {
                        assert_eq!(place.cell_at(point), Some(cell), "{line:?} at {size:?}");
                    }
                }
                assert_eq!(place.cell_at((-1.0, -1.0)), None);
            }
            assert!(size.0 < 320 || figure.boards.iter().all(|place| place.area(Cell::new(0, 0)).width > 0));
        }
    }
}

#[test]
fn the_same_figure_is_the_same_pixel_by_pixel_and_a_step_changes_it() {
    let figure = |line: &str| draw(&boards(&args(line)).unwrap(), (640, 400), 1.0).pixels;
    assert_eq!(figure("--steps 12"), figure("--steps 12"));
    assert_ne!(figure("--steps 12"), figure("--steps 13"));
    assert_ne!(figure("--steps 12"), figure("--steps 12 --parents"));
}
