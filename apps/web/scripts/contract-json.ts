import { minifyContractRouter } from '@orpc/contract'
import { contract } from '@hansom/contract/contract'

/** Prints what the client needs of the contract: methods and paths, without the schemas. */
process.stdout.write(JSON.stringify(minifyContractRouter(contract)))
