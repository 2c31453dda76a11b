/** Campaigns, their messages and what became of them, as an export holds them. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { along, type ExportRow, HEAVY, listIds, PAGE, type Pages } from './export-pages.ts'

export const campaigns = (db: Db, workspaceId: string): Pages =>
  along<ExportRow & { id: string }>(
    HEAVY,
    (
      last,
      size,
    ) => sql`select id, name, channel, state, state_text, sender_id, subject, template_id, html, track_opens, track_clicks, totals_of, link_tags,
        scheduled_at, time_zone, started_at, finished_at, created_at, updated_at, deleted_at,
        array(select list_id::text from campaign_lists where workspace_id = campaigns.workspace_id and campaign_id = campaigns.id order by list_id) as list_ids,
        array(select segment_id::text from campaign_segments where workspace_id = campaigns.workspace_id and campaign_id = campaigns.id and not excluded order by segment_id) as segment_ids,
        array(select list_id::text from campaign_excluded_lists where workspace_id = campaigns.workspace_id and campaign_id = campaigns.id order by list_id) as exclude_list_ids,
        array(select segment_id::text from campaign_segments where workspace_id = campaigns.workspace_id and campaign_id = campaigns.id and excluded order by segment_id) as exclude_segment_ids,
        parent_id, step, journey_id, journey_step, after_minutes, stop_on_click, stop_on_reply, sending_window, spread,
        array(select sender_id::text from campaign_senders where workspace_id = campaigns.workspace_id and campaign_id = campaigns.id order by position) as sender_ids,
        array(select url from campaign_links where workspace_id = campaigns.workspace_id and campaign_id = campaigns.id order by link) as links,
        (select coalesce(jsonb_agg(jsonb_build_object('dimension', dimension, 'number', number, 'total', total) order by dimension, number), '[]')
          from campaign_totals where workspace_id = campaigns.workspace_id and campaign_id = campaigns.id) as totals
      from campaigns where workspace_id = ${workspaceId} and id > ${last?.id ?? '0'} order by id limit ${size}`,
    db,
  )

export async function* messages(
  db: Db,
  workspaceId: string,
): AsyncGenerator<(ExportRow & { id: string; contactId: string })[]> {
  for (const campaignId of await listIds(db, workspaceId, 'campaigns'))
    yield* along<ExportRow & { id: string; contactId: string }>(
      PAGE,
      (
        last,
        size,
      ) => sql`select id, campaign_id, contact_id, sender_id, address, state, reason, attempts, response, queued_at, first_attempt_at, sent_at, due_at, by_segment
        from messages where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and contact_id > ${last?.contactId ?? '0'}
        order by contact_id limit ${size}`,
      db,
    )
}

interface EventRow extends ExportRow {
  id: string
  messageId: string
  at: Date
}

/** Along the messages, because that is how events are indexed. */
export async function* events(db: Db, workspaceId: string): Pages {
  for await (const page of messages(db, workspaceId)) {
    const ids = page.map((row) => row.id)
    // PostgreSQL's times are finer than JavaScript's: the place in the order goes there and back as text.
    yield* along<EventRow & { place: string }>(
      PAGE,
      (
        last,
        size,
      ) => sql`select id, campaign_id, message_id, kind, link, at, network, user_agent, class, reason, times, at::text as place from events
        where workspace_id = ${workspaceId} and message_id = any(${ids}::bigint[])
          and (message_id, at, id) > (${last?.messageId ?? '0'}, ${last?.place ?? '-infinity'}::timestamptz, ${last?.id ?? '0'})
        order by message_id, at, id limit ${size}`,
      db,
    )
  }
}

export function gmailMessages(db: Db, workspaceId: string): Pages {
  return along<ExportRow & { messageId: string }>(
    PAGE,
    (
      last,
      size,
    ) => sql`select message_id, campaign_id, sender_id, remote_id, thread_id, rfc_id, replied_at, bounced_at, bounce_text
      from gmail_messages where workspace_id = ${workspaceId} and message_id > ${last?.messageId ?? '0'} order by message_id limit ${size}`,
    db,
  )
}
