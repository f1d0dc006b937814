"""From records to a page: tables, plots, prose."""
