import { setImmediate as breath } from 'node:timers/promises'
import type { Db } from '#server/platform/db/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { createPost } from '../posts/posts.ts'
import { readPosts } from './import.ts'

/** Takes over the posts of a file, each by itself: what cannot be taken is listed with the reason, the rest is there. */
export async function importPosts(db: Db, file: { name: string; bytes: Buffer }) {
  const skipped: { title: string; reason: string }[] = []
  let imported = 0
  for (const found of readPosts(file)) {
    // Cleaning a long post takes a moment: others are answered in between.
    await breath()
    if ('reason' in found) skipped.push(found)
    else
      try {
        await createPost(db, found.form)
        imported++
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        skipped.push({ title: found.title, reason: error.message })
      }
  }
  return { imported, skipped }
}
