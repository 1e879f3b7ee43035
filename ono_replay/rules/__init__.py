"""The game itself, pure: cards, rulesets, states, legality, transitions and scoring of ONO 99."""
