"""What texts name, found by rules, and how it hangs together."""
