-- The ids of messages in trouble are read from the index alone. A message that is sent has no place in it (docs/decisions/0095-messages-settled-in-place.md).
drop index messages_troubled;
create index messages_troubled on messages (workspace_id, campaign_id, trouble, contact_id) include (id) where trouble is not null;
