import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../servers/postgres.ts'
import { runCommand, startService, temporaryFolder } from '../service.ts'
import { isWhole } from './faults.ts'

const folder = temporaryFolder()
const blobs = {
  BLOBS_URL: 's3://x?endpoint=http://127.0.0.1:1',
  AWS_ACCESS_KEY_ID: 'a',
  AWS_SECRET_ACCESS_KEY: 'b',
}
const portHolder = createServer()
let postgres: PostgresServer
let port: number
beforeAll(async () => {
  postgres = await startPostgres()
  await new Promise<void>((resolve) => portHolder.listen(0, '127.0.0.1', resolve))
  const address = portHolder.address()
  port = typeof address === 'object' && address ? address.port : 0
})
afterAll(async () => {
  portHolder.close()
  await postgres.stop()
  folder.remove()
})

const createFolder = () => mkdtempSync(join(folder.path, 'data-'))

/** Starts the service with its command. Returns the exit code and the output. */
async function start(environment: Record<string, string>) {
  const { code, stdout, stderr } = await runCommand([], {
    DATA_DIR: createFolder(),
    PORT: '0',
    ...environment,
  })
  return { code, text: (stdout + stderr).trim() }
}

function expectOneLine({ code, text }: { code: number | null; text: string }, words: RegExp): void {
  expect(text).toMatch(words)
  expect({ code, lines: text.split('\n').length }).toEqual({ code: 1, lines: 1 })
}

describe('a failed startup prints what to do', () => {
  it('if the port is in use', async () => {
    expectOneLine(await start({ PORT: String(port) }), /Port \d+ .*in use/)
  })

  it('if the address does not belong to this machine', async () => {
    expectOneLine(await start({ HOST: '203.0.113.7' }), /HOST=203\.0\.113\.7/)
  })

  it('if the database does not respond', async () => {
    const DATABASE_URL = 'postgres://u:secret@127.0.0.1:1/x'
    const failed = await start({ DATABASE_URL, ...blobs })
    expectOneLine(failed, /DATABASE_URL cannot be used: the server does not answer \(127\.0\.0\.1:1\/x\)/)
    expect(failed.text).not.toContain('secret')
  })

  it('if the password is wrong, and if the database does not exist', async () => {
    const wrongPasswordUrl = Object.assign(new URL(postgres.url), { password: 'wrong' }).href
    expectOneLine(await start({ DATABASE_URL: wrongPasswordUrl, ...blobs }), /password is wrong/)
    const absent = Object.assign(new URL(postgres.url), { pathname: '/absent' }).href
    expectOneLine(await start({ DATABASE_URL: absent, ...blobs }), /database does not exist/)
  })

  it('if the data folder is a file', async () => {
    const file = join(createFolder(), 'file')
    writeFileSync(file, '')
    expectOneLine(await start({ DATA_DIR: file }), /DATA_DIR=.*file/)
    expectOneLine(await start({ DATA_DIR: join(file, 'below') }), /DATA_DIR=.*file/)
  })

  it('if the data folder is not writable', async () => {
    // Not even root can create files there.
    expectOneLine(await start({ DATA_DIR: '/sys/winnow' }), /DATA_DIR=\/sys\/winnow cannot be used/)
  })

  it('if the temporary folder is not writable', async () => {
    // Not even root can create a folder there.
    expectOneLine(await start({ TMPDIR: '/proc' }), /TMPDIR=\/proc cannot be used/)
  })

  it('if the database is damaged', async () => {
    const data = createFolder()
    writeFileSync(join(data, 'winnow.sqlite'), 'x'.repeat(100_000))
    expectOneLine(await start({ DATA_DIR: data }), /winnow\.sqlite is damaged/)
  })

  it('if the store belongs to a newer version', async () => {
    const data = createFolder()
    await (await startService({ DATA_DIR: data })).stop()
    const database = new DatabaseSync(join(data, 'winnow.sqlite'))
    database.exec("insert into kysely_migration values ('9999-later', '2027-01-01')")
    database.close()
    expectOneLine(await start({ DATA_DIR: data }), /newer version/)
  })

  const wrongPaths = ['/bin/true', '/nowhere/chromium', '/tmp']
  it.each(isWhole ? wrongPaths : wrongPaths.slice(0, 1))('if CHROMIUM_PATH is %s', async (path) => {
    expectOneLine(await start({ CHROMIUM_PATH: path }), /CHROMIUM_PATH=\S+ cannot be used/)
  })
})
