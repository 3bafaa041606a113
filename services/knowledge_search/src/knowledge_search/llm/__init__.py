"""Who writes the answers: the stand-in that quotes, or a language model behind an HTTP interface."""

from knowledge_search.llm.anthropic import AnthropicModel
from knowledge_search.llm.extractive import ExtractiveLLM
from knowledge_search.llm.faults import ModelCallError
from knowledge_search.llm.openai import OpenAIModel

__all__ = ["AnthropicModel", "ExtractiveLLM", "ModelCallError", "OpenAIModel"]
