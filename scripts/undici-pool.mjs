// All that the client uses of undici: requests over a pool of connections, and what opens one. The rest of the package, such as fetch and
// cookies, takes longer to load than this.
import request from '../node_modules/undici/lib/api/api-request.js';
import buildConnector from '../node_modules/undici/lib/core/connect.js';
import Dispatcher from '../node_modules/undici/lib/dispatcher/dispatcher.js';
import Pool from '../node_modules/undici/lib/dispatcher/pool.js';

// As the index of the package does it.
Object.assign(Dispatcher.prototype, { request });

export { buildConnector, Pool };
