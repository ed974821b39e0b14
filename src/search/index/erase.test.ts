import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { sqliteDatabase } from '../../store/database/sqlite.ts'
import { addDocuments, openIndex, removeExpired, removePages, removeTeam } from './documents.ts'
import { migrateIndex } from './migrate.ts'
import { documentsOfPage } from './page-documents.ts'
import type { SearchStore } from './tables.ts'

// Words of the body are only in the index. A word that is its own stem can be found in the bytes.
const common = Array.from({ length: 400 }, (_, number) => `word${number}`).join(' ')

it('leaves no word of a deleted page, version or team in the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-erase-'))
  const store: SearchStore = sqliteDatabase(join(folder, 'search.sqlite'))
  await migrateIndex(store)
  const index = openIndex(store)
  const add = async (teamId: string, url: string, word: string, expiresAt = 1e15) => {
    const fields = {
      ...{
        title: `Title ${word}title`,
        headings: word,
        description: '',
        language: 'en',
        isNews: false,
        links: [],
      },
      ...{ text: `${common} ${word}`, publishedAt: undefined, modifiedAt: undefined },
      pictures: [{ url: 'https://a.test/1.png', text: `Image ${word}image`, width: 100, height: 100 }],
    }
    const { page, images } = await documentsOfPage({ url, type: 'html', fetchedAt: 0, expiresAt, fields })
    await addDocuments(index, { teamId, kind: 'page' }, [page])
    if (images) await addDocuments(index, { teamId, kind: 'image' }, [images])
  }
  const bytes = async () => {
    await sql`pragma wal_checkpoint(truncate)`.execute(store.query)
    return Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name)))).toString(
      'latin1',
    )
  }
  const words = { version: 'zebrafirst', page: 'zebrasecond', expired: 'zebrathird', team: 'zebrafourth' }
  try {
    for (let number = 0; number < 40; number += 1)
      await add('team', `https://other.test/${number}`, `kept${number}`)
    await add('team', 'https://a.test/version', words.version)
    await add('team', 'https://a.test/page', words.page)
    await add('team', 'https://a.test/expired', words.expired, 1)
    await add('gone', 'https://a.test/team', words.team)
    const before = await bytes()
    for (const word of Object.values(words)) expect(before).toContain(word)
    await add('team', 'https://a.test/version', 'other')
    await removePages(index, 'team', ['a.test/page'])
    await removeExpired(index, 2)
    await removeTeam(index, 'gone')
    const after = await bytes()
    for (const word of Object.values(words)) expect(after).not.toContain(word.slice(0, -1))
    expect(after).toContain('kept39')
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
  }
})
