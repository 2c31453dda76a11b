create table campaign_shares (
  id bigint generated always as identity,
  workspace_id bigint not null,
  campaign_id bigint not null,
  token_hash text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_viewed_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, campaign_id) references campaigns (workspace_id, id) on delete cascade
);
create index campaign_shares_campaign on campaign_shares (workspace_id, campaign_id);
-- The token of a link names its share and no workspace.
create index campaign_shares_token on campaign_shares (token_hash);
comment on table campaign_shares is 'Read-only links to the reports of campaigns.';
comment on column campaign_shares.token_hash is 'SHA-256 of the token in the link, which is not stored.';
comment on column campaign_shares.expires_at is 'When the link stops working; null: it does not by itself.';

-- person2 before person10. A server built without ICU compares addresses as plain text instead.
do $$ begin
  create collation natural_order (provider = icu, locale = 'en-u-kn-true');
exception when others then
  create collation natural_order from "C";
end $$;
