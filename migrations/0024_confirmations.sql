-- Double opt-in: when a pending member was asked to confirm (null: not yet), and how often.
alter table list_members add column asked_at timestamptz;
alter table list_members add column asks smallint not null default 0;
-- Nobody is asked out of the blue about a membership from before: POST /api/lists/{id}/confirmations asks them.
update list_members set asked_at = at where status = 'pending';
-- The pending rows are the queue of confirmation emails: whatever adds a member cannot forget to ask. Ordered by workspace,
-- so that workspaces are served in turns.
create index list_members_to_ask on list_members (workspace_id, list_id, contact_id) where status = 'pending' and asked_at is null;
