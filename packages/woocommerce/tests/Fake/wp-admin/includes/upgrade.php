<?php

declare(strict_types=1);

/** `dbDelta` is beside it, in `wordpress.php`. */
