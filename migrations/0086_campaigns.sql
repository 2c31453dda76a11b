-- An email that is sent changes its row twice: it is claimed, and it is settled. No index holds what the second change writes, so
-- that PostgreSQL writes the new version of the row beside the old one, and no index (docs/decisions/0095-messages-settled-in-place.md).

alter table messages add column trouble text generated always as (
  case when state in ('failed', 'bounced', 'suppressed', 'unconfirmed', 'deferred') then state end
) stored;
comment on column messages.trouble is 'The state, where it is one of those few messages are in; otherwise null.';

drop index messages_troubled;
create index messages_troubled on messages (workspace_id, campaign_id, trouble, contact_id) where trouble is not null;

-- Room on each page for one more version of each row; those of before keep their pages.
alter table messages set (fillfactor = 50);
