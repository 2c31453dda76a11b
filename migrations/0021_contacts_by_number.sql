-- Whoever writes on WhatsApp is looked for by number, also among contacts with an e-mail address.
create index contacts_by_phone on contacts (workspace_id, phone) where phone is not null;
