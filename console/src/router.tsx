import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { ErrorPage } from './layout/error-page.tsx'
import { NotFound } from './layout/not-found.tsx'
import { Shell } from './layout/shell.tsx'
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
  // Request that prefills the form, as JSON. In a hand-written URL, the router parses it into an object.
  validateSearch: ({ request }): { request?: string } => {
    if (typeof request === 'string') return { request }
    return typeof request === 'object' && request !== null ? { request: JSON.stringify(request) } : {}
  },
  component: lazyRouteComponent(() => import('./playground/playground.tsx'), 'Playground'),
})

const jobs = createRoute({
  getParentRoute: () => root,
  path: '/jobs',
  component: lazyRouteComponent(() => import('./jobs/jobs.tsx'), 'Jobs'),
})

const parentJob = createRoute({
  getParentRoute: () => root,
  path: '/jobs/$kind/$id',
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

const trackedPages = createRoute({
  getParentRoute: () => root,
  path: '/tracked-pages',
  component: lazyRouteComponent(() => import('./tracked-pages/tracked-pages.tsx'), 'TrackedPages'),
})

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./webhooks/webhooks.tsx'), 'Webhooks'),
})

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings/settings.tsx'), 'Settings'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    ...[home, playground, jobs, parentJob, activity, job],
    ...[browsers, trackedPages, webhooks, settings],
  ]),
  basepath: '/console',
  defaultPreload: 'intent',
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFound,
  defaultPendingComponent: Loading,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
