//! A panel for games with [`bevy_wayfield`]: choose how ways are searched, paint terrain, watch the numbers.
//!
//! # The whole panel by one line
//!
//! [`WayfieldPanelPlugin`] opens a window with all sections, which F2 hides:
//!
//! ```no_run
//! use bevy::prelude::*;
//! use bevy_wayfield::PathfindingPlugin;
//! use bevy_wayfield_egui::WayfieldPanelPlugin;
//!
//! App::new()
//!     .add_plugins((DefaultPlugins, PathfindingPlugin::default(), WayfieldPanelPlugin::default()))
//!     .add_systems(Startup, |mut commands: Commands| {
//!         commands.spawn(Camera2d);
//!     })
//!     .run();
//! ```
//!
//! # Its parts, in a panel of one's own
//!
//! | section | shows and changes |
//! |---|---|
//! | [`search_controls`] | the algorithm, the heuristic, the weight and the cap of `PathfindingSettings` |
//! | [`planning_controls`] | the budget of a tick and when answers are delivered |
//! | [`corner_rule_choice`] | the corner rule of a `Tilemap` |
//! | [`brush_controls`] | the [`TerrainBrush`], from a [`Palette`] that the game fills |
//! | [`cost_table`] | what each terrain costs each movement class |
//! | [`live_numbers`] | the `Planner`, with the graphs of [`PanelHistory`]; changes nothing |
//! | [`frame_graph`] | what frames spend their time on; changes nothing |
//! | [`inspector`] | one unit: where it goes, and why that way; changes nothing |
//! | [`comparison_table`] | one question through all algorithms, a [`Comparison`] |
//! | [`legend`] | what the colours of an [`Overlay`] mean |
//! | [`fields_list`] | the `DijkstraMaps`; changes nothing |
//!
//! Behind them: [`EditHistory`] paints and takes back, [`Preview`] is the way to where the pointer is, [`Overlay`] makes the
//! pictures. Each section is a function of an `egui::Ui` and plain data. [`MapPointer`] decides whether a press is the panel's or the
//! map's. A game that has its own window takes the plugin [without one](WayfieldPanelPlugin::without_window):
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
//! use bevy_wayfield::{PathfindingPlugin, PathfindingSettings, Planner, wayfield::CornerRule};
//! use bevy_wayfield_egui::{MapPointer, PanelHistory, WayfieldPanelPlugin, live_numbers, search_controls};
//!
//! fn panel(
//!     mut contexts: EguiContexts,
//!     mut pointer: ResMut<MapPointer>,
//!     mut settings: ResMut<PathfindingSettings>,
//!     planner: Res<Planner>,
//!     history: Res<PanelHistory>,
//! ) -> Result {
//!     let context = contexts.ctx_mut()?.clone();
//!     let all = egui::UiBuilder::new().layer_id(egui::LayerId::background()).max_rect(context.viewport_rect());
//!     let mut root = egui::Ui::new(context, "root".into(), all);
//!     let side = egui::Panel::right("wayfield").resizable(false).exact_size(280.0);
//!     let shown = side.show(&mut root, |ui| {
//!         search_controls(ui, &mut settings, CornerRule::BothFree);
//!         live_numbers(ui, &planner, &history);
//!     });
//!     pointer.add_panel(shown.response.rect);
//!     Ok(())
//! }
//!
//! // A game with a window has DefaultPlugins and EguiPlugin here.
//! App::new()
//!     .add_plugins((MinimalPlugins, PathfindingPlugin::default()))
//!     .add_plugins(WayfieldPanelPlugin::default().without_window())
//!     .add_systems(EguiPrimaryContextPass, panel);
//! ```

mod layout;

mod brush;
mod brush_controls;
mod history;

mod compare;
mod inspector;
mod question;

mod overlay;

mod graphs;
mod numbers;
mod planning;
mod search;

mod pointer;

mod window;

#[cfg(test)]
mod screen;

use bevy::ecs::intern::Interned;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::input::InputSystems;
use bevy::prelude::*;
use bevy::window::WindowFocused;
use bevy_egui::{EguiPlugin, EguiPreUpdateSet, EguiPrimaryContextPass};
use bevy_wayfield::PathfindingSystems;

use graphs::Part;

pub use brush::{BrushShape, BrushTool, Palette, PaletteEntry, TerrainBrush};
pub use brush_controls::{brush_controls, cost_table};
pub use compare::{Comparison, comparison_table};
pub use graphs::{FrameSplit, PanelHistory, frame_graph};
pub use history::EditHistory;
pub use inspector::{LastAnswer, UnitView, inspector};
pub use numbers::{fields_list, live_numbers};
pub use overlay::{CellImage, DISTINCT, Overlay, OverlayKind, OverlaySource, legend, viridis};
pub use planning::planning_controls;
pub use pointer::MapPointer;
pub use question::{Preview, Question};
pub use search::{corner_rule_choice, search_controls};
pub use window::PanelWindow;

/// What the panel does outside egui's pass.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PanelSystems {
    /// [`MapPointer`] follows the mouse, in `PreUpdate`, before egui reads its input.
    Pointer,
    /// [`PanelHistory`] remembers the tick, after [`PathfindingSystems::Collect`].
    Record,
}

/// Adds what the sections need, with its systems, such as [`MapPointer`] and [`PanelHistory`], and a ready-made window.
///
/// With the window it adds [`EguiPlugin`], unless the app has it: a game that configures egui adds its own *before*
/// this plugin. Without the window it needs neither egui's plugin nor a renderer.
#[derive(Clone, Copy, Debug)]
pub struct WayfieldPanelPlugin {
    has_window: bool,
    toggle_key: KeyCode,
    ticks: Interned<dyn ScheduleLabel>,
}

impl Default for WayfieldPanelPlugin {
    fn default() -> Self {
        Self { has_window: true, toggle_key: KeyCode::F2, ticks: FixedUpdate.intern() }
    }
}

impl WayfieldPanelPlugin {
    /// Without the ready-made window: the game shows the sections in its own panel and brings [`EguiPlugin`].
    #[must_use]
    pub fn without_window(mut self) -> Self {
        self.has_window = false;
        self
    }

    /// With another key than F2 to show and hide the window.
    #[must_use]
    pub fn toggle_key(mut self, key: KeyCode) -> Self {
        self.toggle_key = key;
        self
    }

    /// For a [`PathfindingPlugin`](bevy_wayfield::PathfindingPlugin) whose ticks run in this schedule.
    #[must_use]
    pub fn in_schedule(mut self, schedule: impl ScheduleLabel) -> Self {
        self.ticks = schedule.intern();
        self
    }
}

impl Plugin for WayfieldPanelPlugin {
    fn build(&self, app: &mut App) {
        let pointer_first = PanelSystems::Pointer.after(InputSystems).before(EguiPreUpdateSet::ProcessInput);
        app.init_resource::<MapPointer>()
            .init_resource::<TerrainBrush>()
            .init_resource::<Palette>()
            .init_resource::<PanelHistory>()
            // There already, wherever there is a window.
            .init_resource::<ButtonInput<MouseButton>>()
            .init_resource::<ButtonInput<KeyCode>>()
            .add_message::<WindowFocused>()
            .configure_sets(PreUpdate, pointer_first)
            .add_systems(PreUpdate, pointer::follow_pointer.in_set(PanelSystems::Pointer))
            .configure_sets(self.ticks, PanelSystems::Record.after(PathfindingSystems::Collect))
            .add_systems(self.ticks, graphs::record_tick.in_set(PanelSystems::Record))
            .init_resource::<EditHistory>()
            .init_resource::<Comparison>()
            .init_resource::<Preview>()
            .init_resource::<Overlay>()
            .init_resource::<FrameSplit>()
            .add_systems(
                self.ticks,
                (
                    graphs::begin_parts.before(PathfindingSystems::Sync),
                    graphs::end_part(Part::Search)
                        .after(PathfindingSystems::Collect)
                        .before(PathfindingSystems::Fields),
                    graphs::end_part(Part::Fields).after(PathfindingSystems::Fields).before(PathfindingSystems::Steer),
                    graphs::end_part(Part::Movement).after(PathfindingSystems::Steer).before(PathfindingSystems::Hash),
                ),
            )
            .add_systems(Last, graphs::end_frame)
            .add_observer(inspector::note_ready)
            .add_observer(inspector::note_partial)
            .add_observer(inspector::note_failed);
        if !self.has_window {
            return;
        }
        if !app.is_plugin_added::<EguiPlugin>() {
            app.add_plugins(EguiPlugin::default());
        }
        app.init_resource::<PanelWindow>()
            .insert_resource(window::ToggleKey(self.toggle_key))
            .add_systems(PreUpdate, window::toggle.after(PanelSystems::Pointer))
            .add_systems(EguiPrimaryContextPass, window::show_window);
    }
}
