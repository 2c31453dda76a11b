-- People WhatsApp tells no number of, what a consent covers, how templates are liked ------------------------------------
-- Meta's scoped id of a person who hides his number. It holds for one business portfolio.
alter table contacts add column bsuid text;
alter table contacts drop constraint contacts_check;
alter table contacts add constraint contacts_check check (email is not null or phone is not null or bsuid is not null);
create unique index contacts_bsuid on contacts (workspace_id, bsuid) where bsuid is not null;

-- A consent counts for the number it was given for, or, where there is none, for the scoped id. `covers`: the kinds of
-- templates, sorted; null in rows of before kinds were told apart, which go on to cover all.
alter table whatsapp_opt_ins add column bsuid text;
alter table whatsapp_opt_ins add column covers text[]
  check (covers <@ array['authentication', 'marketing', 'utility'] and cardinality(covers) > 0);

-- Meta's word on what people's blocks and reports made of a template.
alter table whatsapp_templates add column quality text not null default 'unknown'
  check (quality in ('green', 'yellow', 'red', 'unknown'));

-- Meta refused a template as it is known here: all are read anew.
alter table whatsapp_accounts add column templates_stale boolean not null default false;
