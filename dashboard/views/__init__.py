"""The pages, one function each; `app` lists them. A folder called `pages` would mean something to Streamlit."""
