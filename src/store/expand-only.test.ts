import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { describe, expect, it } from 'vitest'
import { indexMigrations } from '../search/index/migrate.ts'
import { migrations, type StoredMigration } from './migrate.ts'

/** First migration to check. Earlier ones ran while no other process served the store. */
const firstChecked = 21
/** First migration of the search index to check. Earlier ones created its first schemas, which were in no release. */
const firstCheckedOfIndex = 4
const getNumber = (name: string) => Number.parseInt(name, 10)

const dialects = {
  sqlite: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database: Kysely<unknown>) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
  postgres: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database: Kysely<unknown>) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
}

/** Returns the statements of a migration, which are compiled and not executed. */
async function listStatements(migration: StoredMigration, dialect: keyof typeof dialects): Promise<string[]> {
  const statements: string[] = []
  const log = ({ query }: { query: { sql: string } }) => void statements.push(query.sql)
  await migration.up(new Kysely<unknown>({ dialect: dialects[dialect], log }))
  return statements
}

/**
 * Returns the reasons why a process of the previous version may fail with the new schema, for each statement with that
 * effect.
 */
function findContractions(statements: string[]): string[] {
  const created = new Set<string | undefined>()
  return statements.flatMap((statement) => {
    const text = statement
      .toLowerCase()
      .replaceAll(/["\s]+/g, ' ')
      .trim()
    const table = /^create table (?:if not exists )?(\w+)/.exec(text)?.[1]
    if (table) created.add(table)
    const reason = reasons.find(([pattern, exception]) => pattern.test(text) && !exception?.test(text))?.[2]
    const changed = /^(?:alter table|create unique index \w+ on) (?:only )?(\w+)/.exec(text)?.[1]
    return reason !== undefined && !created.has(changed) ? [`${reason}: ${statement}`] : []
  })
}

/** Pattern, exception, reason. */
const reasons: [RegExp, RegExp | undefined, string][] = [
  [/(?:^|; ?)drop /, undefined, 'removes what old processes use'],
  [/\bdrop (?:column|constraint|default|expression|identity)\b/, undefined, 'removes what old processes use'],
  [/(?:^|; ?)alter .*\brename\b/, undefined, 'renames what old processes use'],
  [
    /^alter table .*\balter column\b/,
    / (?:set default|drop not null)\b/,
    'changes a column of old processes',
  ],
  [
    /^alter table .*\badd column .*\bnot null\b/,
    /\bdefault\b/,
    'adds a column that old processes do not fill',
  ],
  [
    /^alter table .*\badd (?:constraint|check|unique|primary key|foreign key)\b/,
    undefined,
    'forbids rows of old processes',
  ],
  [/(?:^|; ?)create unique index /, undefined, 'forbids rows of old processes'],
  [/(?:^|; ?)truncate /, undefined, 'removes rows of old processes'],
]

describe.each(['sqlite', 'postgres'] as const)('migrations on %s', (dialect) => {
  const searchMigrations = indexMigrations(dialect)
  const checked = [
    ...Object.entries(migrations).filter(([name]) => getNumber(name) >= firstChecked),
    ...Object.entries(searchMigrations).filter(([name]) => getNumber(name) >= firstCheckedOfIndex),
  ]

  it.each(checked)('%s only expands the store, or names what it contracts', async (name, migration) => {
    const contractions = findContractions(await listStatements(migration, dialect))
    if (migration.contracts === undefined) expect(contractions).toEqual([])
    else expect(getNumber(migration.contracts)).toBeLessThan(getNumber(name))
  })

  it('name an existing migration if they contract one', () => {
    for (const list of [migrations, searchMigrations])
      for (const { contracts } of Object.values(list))
        if (contracts !== undefined) expect(Object.keys(list)).toContain(contracts)
  })

  it('are found to contract the store if they do', async () => {
    // This migration replaces an index.
    const { '0018-children': children } = migrations
    if (!children) throw new Error('The migration 0018-children is gone.')
    expect(findContractions(await listStatements(children, dialect))).toHaveLength(1)
  })
})

describe('findContractions', () => {
  it.each([
    'drop table "jobs"',
    'drop index "jobs_by_parent"',
    'alter table "jobs" drop column "error"',
    'alter table "jobs" rename to "work"',
    'alter table "jobs" rename column "error" to "failure"',
    'alter table "jobs" add column "place" text not null',
    'alter table "jobs" alter column "error" set not null',
    'alter table "jobs" alter column "error" type integer',
    'alter table "jobs" add constraint "one" unique ("team_id")',
    'create unique index "one" on "jobs" ("team_id")',
    'create table "notes" ("id" text); alter table "jobs" rename to "work"',
    'select 1;drop table "jobs"',
  ])('finds a contraction in: %s', (statements) => {
    expect(findContractions(statements.split('; '))).toHaveLength(1)
  })

  it.each([
    'create table "notes" ("id" text not null primary key)',
    'create table "notes" ("id" text); create unique index "one" on "notes" ("id")',
    'create index "jobs_by_place" on "jobs" ("place")',
    'alter table "jobs" add column "place" text',
    'alter table "jobs" add column "bytes" integer not null default 0',
    'alter table "jobs" add column "bytes" integer default 0 not null',
    'alter table "jobs" alter column "error" drop not null',
    'update jobs set place = target',
    'insert into notes (id) select id from jobs',
    'create trigger counted after insert on jobs begin delete from notes; end',
  ])('finds no contraction in: %s', (statements) => {
    expect(findContractions(statements.split(/; (?!end)/))).toEqual([])
  })
})
