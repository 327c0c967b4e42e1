"""Attention, recurrent networks, embeddings: what runs over sequences."""
