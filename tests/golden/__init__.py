"""Values from independent programs; README.md says where each comes from."""
