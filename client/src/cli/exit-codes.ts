/** Exit codes of `winnow`. Scripts depend on these numbers, so their meaning never changes. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  noService: 3,
  keyRejected: 4,
  partlyFailed: 5,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

export const exitCodeMeanings: Record<ExitCode, string> = {
  0: 'done',
  1: 'failed: the service refused the call or could not do it',
  2: 'the command line is wrong',
  3: 'no service answers at the address',
  4: 'the service refuses the key, or the key may not do this',
  5: 'partly failed: some pages are missing',
  130: 'interrupted by Ctrl-C; a crawl that was started goes on',
}
