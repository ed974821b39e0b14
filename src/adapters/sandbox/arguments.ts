import { lstatSync, readlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { SandboxedProgram } from '../../ports/sandbox.ts'

export interface Places {
  /** The Node that opens the ports inside. */
  node: string
  /** Folders that must not be seen inside although they lie in the system's. */
  hidden: string[]
  /** A folder of cgroup v2 in which groups may be made; found where it is not named. */
  groups?: string | undefined
}

export interface Descriptors {
  /** Where the ports are handed over, until the program starts. */
  ipc: number
  seccomp: number
  options: number
  /** Where the files come from that are written inside, one for each of `writtenInside`. */
  files: number[]
  /** Not in use by any of the above: the namespace of mounts, and the root in it. */
  mounts: number
  root: number
}

/** Files of our own, which are written inside rather than shown: the table of mounts would tell where they lie. */
export const writtenInside = [
  { from: inside('open-ports.mjs'), to: '/run/winnow/open-ports.mjs' },
  { from: inside('hosts'), to: '/etc/hosts' },
]

export interface SandboxArguments {
  /** Named on the command line, which every process inside can read. */
  shown: string[]
  /** Handed over by a descriptor, for they name places of this machine. */
  hidden: string[]
}

/** Who the program is inside: a user of its own where the service is root, else the service's user in a namespace. */
export type Identity = { uid: number } | 'own-namespace'

/** All that is said to bubblewrap; pure but for a look at how the system's folders are linked. */
export function sandboxArguments(
  program: SandboxedProgram,
  { places, identity, descriptors }: { places: Places; identity: Identity; descriptors: Descriptors },
): SandboxArguments {
  const hidden = [
    ...isolation(identity, program),
    ...system(),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...ownFolder('/tmp', program.limits.filesMegabytes),
    ...ownFolder('/dev/shm', program.limits.filesMegabytes),
    ...writtenInside.flatMap(({ to }, index) => written(descriptors.files[index], to)),
    ...(isOfSystem(places.node)
      ? ['--symlink', places.node, '/run/winnow/node']
      : readOnly(places.node, '/run/winnow/node')),
    ...program.readable.flatMap(({ from, to }) => readOnly(from, to)),
    ...places.hidden.filter(isOfSystem).flatMap((path) => ['--tmpfs', path, '--remount-ro', path]),
    // Without it, a program that owns the namespace could fill the memory behind these folders.
    ...['--remount-ro', '/', '--remount-ro', '/dev'],
    ...['--chdir', '/tmp', '--clearenv'],
    ...Object.entries(program.environment).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--seccomp', String(descriptors.seccomp)],
  ]
  const start = program.nestsSandboxes
    ? [...become(identity), ...beginBrowser(program, descriptors), ...limits(program)]
    : [
        ...leaveMounts(descriptors),
        ...become(identity),
        ...beginCode(program, descriptors),
        ...limits(program),
      ]
  return { hidden, shown: ['--args', String(descriptors.options), '--', ...start, ...program.command] }
}

function isolation(identity: Identity, { nestsSandboxes }: SandboxedProgram): string[] {
  const apart = ['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try']
  const all = [...apart, '--die-with-parent', '--new-session', '--hostname', 'sandbox', '--cap-drop', 'ALL']
  // For a moment: to leave the table of mounts behind, to become somebody else, and to lose the rest.
  const leaving = nestsSandboxes ? [] : ['CAP_SYS_ADMIN', 'CAP_SYS_CHROOT', 'CAP_SETPCAP']
  const becoming = identity === 'own-namespace' ? [] : ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP']
  const capabilities = [...new Set([...leaving, ...becoming])].flatMap((name) => ['--cap-add', name])
  return [
    ...all,
    ...capabilities,
    ...(nestsSandboxes ? [] : ['--as-pid-1']),
    ...(identity === 'own-namespace' ? ['--unshare-user', '--uid', '1000', '--gid', '1000'] : []),
  ]
}

/** The programs of the system, read-only, with as little of /etc as programs and fonts need. */
function system(): string[] {
  return [
    ...['--ro-bind', '/usr', '/usr'],
    ...['/bin', '/sbin', '/lib', '/lib32', '/lib64'].flatMap(asOnHost),
    ...folder('/etc'),
    ...['fonts', 'alternatives', 'ld.so.cache', 'localtime', 'mime.types'].flatMap((name) => [
      ...['--ro-bind-try', `/etc/${name}`, `/etc/${name}`],
    ]),
    ...folder('/run'),
    ...folder('/run/winnow'),
  ]
}

/** On most systems these are links into /usr, on some they are folders, on others they are missing. */
function asOnHost(path: string): string[] {
  try {
    return lstatSync(path).isSymbolicLink()
      ? ['--symlink', readlinkSync(path), path]
      : ['--ro-bind', path, path]
  } catch {
    return []
  }
}

// Folders that bubblewrap makes by itself on the way to another are closed to all but root.
const folder = (path: string) => ['--perms', '0755', '--dir', path]

const readOnly = (from: string, to: string) => ['--ro-bind', from, to]

const written = (descriptor: number | undefined, to: string) => [
  '--perms',
  '0444',
  '--file',
  String(descriptor),
  to,
]

/** The system's own folder is shown where it lies, so that its places tell nothing. */
const isOfSystem = (path: string) => path.startsWith('/usr/')

function inside(name: string): string {
  return fileURLToPath(new URL(`./inside/${name}`, import.meta.url))
}

function ownFolder(path: string, megabytes: number): string[] {
  return ['--perms', '1777', '--size', String(megabytes * 1024 * 1024), '--tmpfs', path]
}

/**
 * The table of mounts names the places on this machine that are shown inside, and every process may read it. It lists
 * the mounts of the namespace that can be reached from the root of the process. So the program gets a namespace of its own,
 * a copy, while its root stays in the one it came from: from there, none of the copies can be reached. A browser cannot live
 * like that, as the kernel would refuse it its own sandbox.
 */
function leaveMounts({ mounts, root }: Descriptors): string[] {
  const leave = `unshare --mount --propagation unchanged --root=/proc/self/fd/${root} --wd=/tmp`
  return ['bash', '-c', `exec ${mounts}</proc/self/ns/mnt ${root}</; exec ${leave} -- "$@"`, 'sandbox']
}

function become(identity: Identity): string[] {
  const lose = ['--inh-caps=-all', '--ambient-caps=-all', '--bounding-set=-all', '--no-new-privs']
  // Whoever becomes somebody else would otherwise outlive the service.
  const setpriv = ['setpriv', ...lose, '--pdeathsig', 'KILL']
  if (identity === 'own-namespace') return setpriv
  const user = String(identity.uid)
  return [...setpriv, '--reuid', user, '--regid', user, '--clear-groups']
}

function limits({ limits: most, nestsSandboxes }: SandboxedProgram): string[] {
  const { threads, processMegabytes, openFiles } = most
  // A limit on addresses would stop V8 at its start, which reserves far more than it uses; one on data does not.
  const memory = processMegabytes === undefined ? [] : [`--data=${processMegabytes * 1024 * 1024}`]
  const files = openFiles === undefined ? [] : [`--nofile=${openFiles}`]
  const set = ['prlimit', '--core=0', '--msgqueue=0', `--nproc=${threads}`, ...memory, ...files, '--']
  // Code of callers gives way to the service that serves them; a browser does not, for people wait for it.
  return nestsSandboxes ? set : [...set, 'nice', '-n', '5']
}

/** The ports are handed over, every channel that is not the program's is closed, and only then does it start. */
function beginBrowser(program: SandboxedProgram, descriptors: Descriptors): string[] {
  const close = closeAll(`fd > ${2 + program.channels}`)
  return ['bash', '-c', `${openPorts(program, descriptors)} ${close}; exec "$@"`, 'sandbox']
}

/**
 * The same, from the first process of the sandbox, which stays: all others end with it, and it holds the namespace that the
 * root of all others lies in.
 */
function beginCode(program: SandboxedProgram, descriptors: Descriptors): string[] {
  const start = `(${closeAll(`fd > ${2 + program.channels}`)}; exec "$@") & child=$!`
  const stay = `exec >/dev/null 2>&1; ${closeAll(`fd > 2 && fd != ${descriptors.mounts}`)}`
  const script = `${openPorts(program, descriptors)} ${start}; ${stay}; wait $child; exit $?`
  return ['bash', '-c', script, 'sandbox']
}

function openPorts({ ports }: SandboxedProgram, { ipc }: Descriptors): string {
  if (ports.length === 0) return ''
  const list = ports.map(({ port }) => port).join(' ')
  return `NODE_CHANNEL_FD=${ipc} /run/winnow/node /run/winnow/open-ports.mjs ${list} || exit 125;`
}

/** Not only ours are closed: what the service itself was started with could be open here too. */
function closeAll(condition: string): string {
  return `for fd in /proc/self/fd/*; do fd=\${fd##*/}; if ((${condition})); then eval "exec $fd<&-"; fi; done`
}
