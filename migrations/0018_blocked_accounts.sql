-- A Gmail account whose mail keeps being refused as unwanted sends nothing more until somebody says so.
alter table gmail_accounts add column blocked_at timestamptz;
alter table gmail_accounts add column blocked_text text not null default '';
-- Refusals before this do not count any more: somebody looked at them and let it send again.
alter table gmail_accounts add column blocks_from timestamptz;
create index gmail_messages_bounced on gmail_messages (sender_id, bounced_at) where bounced_at is not null;
