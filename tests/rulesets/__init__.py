"""Three toy rulesets that prove the kernel carries all five books."""
