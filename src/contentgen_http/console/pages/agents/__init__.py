"""Agents: the niches that a team writes about, the agents in them, their schedules and runs."""
