"""Rewards for reinforcement learning from any metric with references."""

from .reward import Reward

__all__ = ["Reward"]
