//! Card form widget.
