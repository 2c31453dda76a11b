-- Sample data shows a new workspace what the product does. What a user changes becomes theirs and loses the mark;
-- contacts stay samples: their source is 'sample' (docs/decisions/0054-sample-data.md).
alter table lists add column is_sample boolean not null default false;
alter table templates add column is_sample boolean not null default false;
alter table campaigns add column is_sample boolean not null default false;
-- Counts subtract the few that are samples: an index of those alone costs other rows nothing.
create index contacts_sample on contacts (workspace_id, id) where source = 'sample';
create index campaigns_sample on campaigns (workspace_id, id) where is_sample;
comment on column lists.is_sample is 'Sample data, until it is renamed.';
comment on column templates.is_sample is 'Sample data, until it is edited.';
comment on column campaigns.is_sample is 'Sample data: counted nowhere and never sent.';
