"""What several suites of this project share. (What writers of adapters need is in contentgen_core.testing.)"""
