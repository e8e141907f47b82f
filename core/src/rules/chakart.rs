//! Chakart, in its editions.
