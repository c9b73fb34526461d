import os

import hypothesis

hypothesis.settings.register_profile("quick", max_examples=30, deadline=None, derandomize=True)
hypothesis.settings.register_profile("full", max_examples=2000, deadline=None)
hypothesis.settings.load_profile("full" if os.environ.get("STENO_TEST_FULL") else "quick")
