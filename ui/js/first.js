// What the research window shows first, asked for while the rest of its script is being read.

import { callAhead } from "./bridge.js";
import { lastSpace } from "./last-space.js";

callAhead("overview");
callAhead("spaces");
callAhead("threads", { space: lastSpace() });
