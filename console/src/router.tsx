import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { Lost } from './layout/lost.tsx'
import { Shell } from './layout/shell.tsx'
import { Trouble } from './layout/trouble.tsx'
import { Loading } from './ui/page.tsx'

const root = createRootRoute({ component: Shell })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/playground/$call', params: { call: 'scrape' } })
  },
})

const playground = createRoute({
  getParentRoute: () => root,
  path: '/playground/$call',
  // A request that another page wants to be tried, as JSON; an address written by hand has been read as that already.
  validateSearch: ({ request }): { request?: string } => {
    if (typeof request === 'string') return { request }
    return typeof request === 'object' && request !== null ? { request: JSON.stringify(request) } : {}
  },
  component: lazyRouteComponent(() => import('./playground/playground.tsx'), 'Playground'),
})

const work = createRoute({
  getParentRoute: () => root,
  path: '/work',
  component: lazyRouteComponent(() => import('./jobs/work.tsx'), 'Work'),
})

const parentJob = createRoute({
  getParentRoute: () => root,
  path: '/work/$kind/$id',
  component: lazyRouteComponent(() => import('./jobs/parent-job.tsx'), 'ParentJob'),
})

const activity = createRoute({
  getParentRoute: () => root,
  path: '/activity',
  component: lazyRouteComponent(() => import('./activity/activity.tsx'), 'Activity'),
})

const job = createRoute({
  getParentRoute: () => root,
  path: '/activity/$id',
  component: lazyRouteComponent(() => import('./activity/job.tsx'), 'Job'),
})

const browsers = createRoute({
  getParentRoute: () => root,
  path: '/browsers',
  validateSearch: (search): { session?: string } =>
    typeof search.session === 'string' ? { session: search.session } : {},
  component: lazyRouteComponent(() => import('./browsers/browsers.tsx'), 'Browsers'),
})

const watch = createRoute({
  getParentRoute: () => root,
  path: '/watch',
  validateSearch: (search): { show?: 'deliveries' } =>
    search.show === 'deliveries' ? { show: search.show } : {},
  component: lazyRouteComponent(() => import('./watch/watch.tsx'), 'Watch'),
})

const run = createRoute({
  getParentRoute: () => root,
  path: '/run',
  component: lazyRouteComponent(() => import('./settings/run.tsx'), 'Run'),
})

export const router = createRouter({
  routeTree: root.addChildren([...[home, playground, work, parentJob, activity, job, browsers, watch, run]]),
  basepath: '/console',
  defaultPreload: 'intent',
  defaultErrorComponent: Trouble,
  defaultNotFoundComponent: Lost,
  defaultPendingComponent: Loading,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
