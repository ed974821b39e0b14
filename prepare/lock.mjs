import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { say } from './report.mjs'

/**
 * Does the work while no other process does: two commands started at once must not install into the same folder.
 * The lock is a folder holding one file named after its owner. It comes into being by renaming, which only succeeds while
 * no folder or an empty one stands there, so a dead owner's file can be removed without ever hitting a new owner's.
 * @template Result
 * @param {string} folder
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function withLock(folder, work) {
  const owner = nameOf(process.pid)
  await acquire(folder, owner)
  try {
    return await work()
  } finally {
    rmSync(join(folder, owner), { force: true })
  }
}

/**
 * @param {string} folder
 * @param {string} owner
 */
async function acquire(folder, owner) {
  mkdirSync(dirname(folder), { recursive: true })
  const draft = mkdtempSync(`${folder}-`)
  try {
    writeFileSync(join(draft, owner), '')
    let announced = false
    while (!moveInto(draft, folder)) {
      const living = removeDead(folder)
      if (living === undefined) continue
      if (!announced) say(`Waiting for another preparation to end (process ${pidOf(living)})`)
      announced = true
      await pause(200)
    }
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/**
 * @param {string} draft
 * @param {string} folder
 */
function moveInto(draft, folder) {
  try {
    renameSync(draft, folder)
    return true
  } catch (error) {
    if (error.code === 'ENOTEMPTY' || error.code === 'EEXIST') return false
    throw error
  }
}

/**
 * @param {string} folder
 * @returns {string | undefined} the owner, if it still runs
 */
function removeDead(folder) {
  const [owner] = readdirSync(folder)
  if (owner === undefined) return undefined
  if (owner === nameOf(pidOf(owner)) && pidOf(owner) !== process.pid) return owner
  rmSync(join(folder, owner), { force: true })
  return undefined
}

/** @param {string} owner */
function pidOf(owner) {
  return Number(owner.split('-')[0])
}

/**
 * A process and when it began, since a restarted container gives the same numbers out again.
 * @param {number} pid
 */
function nameOf(pid) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (error.code === 'ESRCH') return `${pid}-gone`
  }
  try {
    // The name of the program stands in brackets and may hold spaces; the time of its start is the 20th field after it.
    const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop() ?? ''
    return `${pid}-${afterName.split(' ')[19]}`
  } catch {
    return `${pid}-running`
  }
}
