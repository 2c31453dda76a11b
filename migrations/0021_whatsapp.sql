-- The sidebar asks every minute how many conversations of the workspace are unread: the few that are, not all of them.
create index whatsapp_conversations_unread on whatsapp_conversations (workspace_id) where unread > 0;
