"""Who calls: rules, networks, tables, records."""
