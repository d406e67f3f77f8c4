"""The frames of live-range reordering."""
