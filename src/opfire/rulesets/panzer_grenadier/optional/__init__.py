"""Optional rules [17]."""
