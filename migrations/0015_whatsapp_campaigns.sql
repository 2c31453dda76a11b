-- WhatsApp campaigns ----------------------------------------------------------------------------------------------------
-- What became of a campaign's messages is asked by campaign.
create index whatsapp_messages_of_campaign on whatsapp_messages (campaign_id) where campaign_id is not null;

-- How often the number's pace was halved because Meta said it sends too fast, and when last; a minute without that takes
-- one of them back.
alter table whatsapp_accounts add column slowed integer not null default 0;
alter table whatsapp_accounts add column slowed_at timestamptz;
