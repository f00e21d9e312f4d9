"""Identifiers: opaque, time-sortable strings (UUIDv7), with a type for each kind so that they cannot be confused."""

from typing import NewType

TenantId = NewType("TenantId", str)
UserId = NewType("UserId", str)
InvitationId = NewType("InvitationId", str)
ApiKeyId = NewType("ApiKeyId", str)
NicheId = NewType("NicheId", str)
AgentId = NewType("AgentId", str)
ArticleId = NewType("ArticleId", str)
DocumentId = NewType("DocumentId", str)
NicheRequestId = NewType("NicheRequestId", str)
ExecutionId = NewType("ExecutionId", str)
EnrichmentId = NewType("EnrichmentId", str)
JobId = NewType("JobId", str)
TopicCoverageId = NewType("TopicCoverageId", str)
IntegrationId = NewType("IntegrationId", str)
PublicationId = NewType("PublicationId", str)
TranslationId = NewType("TranslationId", str)
ReviewId = NewType("ReviewId", str)
VoiceId = NewType("VoiceId", str)
SyncedSourceId = NewType("SyncedSourceId", str)
