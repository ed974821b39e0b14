import type { TestProject } from 'vitest/node'
import { deployOnSqlite } from '../deployment.ts'
import { provideDeployment } from './provide.ts'

export const setup = (project: TestProject) => provideDeployment(project, deployOnSqlite)
