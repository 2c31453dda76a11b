-- Deferred messages are few and looked for by name, as the troubled ones are.
drop index messages_troubled;
create index messages_troubled on messages (campaign_id, state, contact_id)
  where state in ('failed', 'bounced', 'suppressed', 'unconfirmed', 'deferred');
