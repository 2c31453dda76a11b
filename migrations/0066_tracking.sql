-- Who clicked which link, for lists of recipients (docs/decisions/0088-pages-of-recipients-along-an-index.md).

create table message_links (
  workspace_id bigint not null,
  campaign_id bigint not null,
  link integer not null,
  by_machine boolean not null,
  message_id bigint not null,
  clicked_at timestamptz not null,
  primary key (workspace_id, campaign_id, link, by_machine, message_id)
);
alter table message_links alter column workspace_id set statistics 0;
create index message_links_time on message_links (workspace_id, campaign_id, link, by_machine, clicked_at desc);
comment on table message_links is 'The links that were clicked in each message, as message_rollups has them.';
comment on column message_links.link is 'The lowest number of a link to the same destination.';
comment on column message_links.by_machine is 'By bots, not by people; a link that both clicked has two rows.';
comment on column message_links.clicked_at is 'The last time.';

-- Clicks of before, but of messages that are marked: those are counted anew.
insert into message_links (workspace_id, campaign_id, link, by_machine, message_id, clicked_at)
select e.workspace_id, e.campaign_id, coalesce(s.first, e.link), e.class = 'machine', e.message_id, max(e.at)
from events e
left join (select *, min(link) over (partition by workspace_id, campaign_id, url) as first from campaign_links) s
  on s.workspace_id = e.workspace_id and s.campaign_id = e.campaign_id and s.link = e.link
where e.kind = 'click' and e.link is not null
  and not exists (
    select from event_changes c cross join lateral unnest(c.message_ids) as of (message_id)
    where c.workspace_id = e.workspace_id and c.campaign_id = e.campaign_id and of.message_id = e.message_id)
group by 1, 2, 3, 4, 5;
