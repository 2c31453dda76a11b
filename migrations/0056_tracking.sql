-- When each recipient last did something, for lists of recipients (docs/decisions/0078-figures-from-rollups.md).

alter table message_rollups
  add column opened_at timestamptz,
  add column clicked_at timestamptz,
  add column unsubscribed_at timestamptz,
  add column machine_opened_at timestamptz,
  add column machine_clicked_at timestamptz;
create index message_rollups_opened on message_rollups (workspace_id, campaign_id, opened_at desc) where opened_at is not null;
create index message_rollups_clicked on message_rollups (workspace_id, campaign_id, clicked_at desc) where clicked_at is not null;
create index message_rollups_unsubscribed on message_rollups (workspace_id, campaign_id, unsubscribed_at desc) where unsubscribed_at is not null;
create index message_rollups_machine_opened on message_rollups (workspace_id, campaign_id, machine_opened_at desc) where machine_opened_at is not null;
create index message_rollups_machine_clicked on message_rollups (workspace_id, campaign_id, machine_clicked_at desc) where machine_clicked_at is not null;
comment on column message_rollups.opened_at is 'The last time by people.';
comment on column message_rollups.clicked_at is 'The last time by people.';
comment on column message_rollups.unsubscribed_at is 'The last time.';
comment on column message_rollups.machine_opened_at is 'The last time by machines.';
comment on column message_rollups.machine_clicked_at is 'The last time by machines.';

-- Their times are read as they are counted anew.
insert into event_changes (workspace_id, campaign_id, message_ids)
select workspace_id, campaign_id, array_agg(message_id order by message_id) from message_rollups
group by workspace_id, campaign_id, message_id / 1000;
