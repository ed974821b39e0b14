import type { Routes } from '../route.ts'
import { accountRoutes } from './account.ts'
import { adRoutes } from './ads.ts'
import { articleRoutes } from './article.ts'
import { brandRoutes } from './brand.ts'
import { charsetRoutes } from './charsets.ts'
import { encodingRoutes } from './encodings.ts'
import { fileRoutes } from './files.ts'
import { hashDocsRoutes } from './hash-docs.ts'
import { largeRoutes } from './large.ts'
import { lateRoutes } from './late.ts'
import { libraryRoutes } from './library.ts'
import { mixedEngineRoutes } from './mixed-engines.ts'
import { pageRoutes } from './pages.ts'
import { redirectRoutes } from './redirects.ts'
import { renderedRoutes } from './rendered.ts'
import { siteRoutes } from './sites.ts'
import { statusRoutes } from './statuses.ts'
import { taskRoutes } from './tasks.ts'
import { troubleRoutes } from './trouble.ts'
import { visitorRoutes } from './visitors.ts'

export const allRoutes: Routes = {
  ...pageRoutes,
  ...articleRoutes,
  ...charsetRoutes,
  ...encodingRoutes,
  ...brandRoutes,
  ...redirectRoutes,
  ...visitorRoutes,
  ...statusRoutes,
  ...troubleRoutes,
  ...largeRoutes,
  ...fileRoutes,
  ...renderedRoutes,
  ...lateRoutes,
  ...hashDocsRoutes,
  ...mixedEngineRoutes,
  ...adRoutes,
  ...siteRoutes,
  ...libraryRoutes,
  ...accountRoutes,
  ...taskRoutes,
}
