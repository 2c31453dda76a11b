alter table workspaces add column weekly_emails smallint check (weekly_emails between 1 and 50);
comment on column workspaces.weekly_emails is 'How many campaign emails in seven days one contact gets at most; null: any number.';
-- Most workspaces have nobody in it: claims then count nothing.
create index contacts_weekly on contacts (workspace_id) where weekly_limit is not null;
