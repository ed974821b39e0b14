import { join } from 'node:path'
import { hasNpmEnded, runInForeground } from './child.mjs'
import { logLine } from './report.mjs'

/**
 * Runs the steps of a command until one fails. If Node supports `execve`, the last step replaces this process. This
 * frees its memory, and signals reach the service directly.
 * @param {import('./commands.mjs').Step[]} steps
 * @param {{ node: string, environment: NodeJS.ProcessEnv, root: string }} options
 * @returns {Promise<number>} the exit code
 */
export async function launch(steps, { node, environment, root }) {
  const last = steps[steps.length - 1]
  for (const step of steps) {
    if (step.title) logLine(`\n${step.title}: ${describe(step.args)}`)
    const stepEnvironment = { ...environment, ...step.environment }
    if (hasNpmEnded(environment)) return 1
    if (step === last && process.execve) {
      process.chdir(root)
      process.execve(node, [node, ...step.args], stepEnvironment)
    }
    const code = await runInForeground(node, step.args, { folder: root, environment: stepEnvironment })
    if (code !== 0) return code
  }
  return 0
}

/** @param {string[]} args */
function describe(args) {
  return args.join(' ').replace(join('node_modules', '.bin', '/'), '')
}
