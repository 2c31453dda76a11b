-- What the people of an imported file agreed to hear of on WhatsApp: given once for the whole file, recorded per contact.
alter table imports add column consent jsonb;
-- For how many it was recorded so far.
alter table imports add column opt_ins bigint not null default 0;
